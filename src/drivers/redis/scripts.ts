/**
 * What Redis does in one step. JSON is never taken apart here: Lua would make `{}` of `[]` and cut large numbers, so
 * values come and go as the text that they are.
 */
import { KEPT_CHANGES } from '../../working/rules/change-feed.ts';
import { script } from './connection.ts';

/** KEYS: state, feed. ARGV: document bytes, at, lease until, lease in ms, by, value of the feed, then key, JSON … */
export const CREATE = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'v', 1, 'b', ARGV[1], 'u', ARGV[2], 'l', ARGV[3])
for i = 7, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], '1:' .. ARGV[i + 1]) end
redis.call('DEL', KEYS[2])
redis.call('XADD', KEYS[2], '1-0', 'at', ARGV[2], 'by', ARGV[5], 'op', 'create', 'path', '', 'value', ARGV[6])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
`);

/**
 * KEYS: state, feed. ARGV: version that must be (or empty), largest size, growth, at, lease until, lease in ms, number of
 * expectations, number of fields, then field, its version …, then field, JSON (empty: remove) …, then for each change
 * at, by, op, path, value. Answers: the last new version; or {'gone'}, {'version', present}, {'changed'}.
 */
export const EDIT = script(`
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return {'gone'} end
if ARGV[1] ~= '' and ARGV[1] ~= version then return {'version', version} end
local at = 9
for _ = 1, tonumber(ARGV[7]) do
  local present = redis.call('HGET', KEYS[1], ARGV[at])
  local found = present and string.match(present, '^%d+') or ''
  if found ~= ARGV[at + 1] then return {'changed'} end
  at = at + 2
end
if redis.call('HGET', KEYS[1], 'b') + ARGV[3] > tonumber(ARGV[2]) then return {'changed'} end
local feed = at + 2 * tonumber(ARGV[8])
local made = redis.call('HINCRBY', KEYS[1], 'v', (#ARGV - feed + 1) / 5)
local mark = string.format('%d', made)
for i = at, feed - 1, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[i])
  else redis.call('HSET', KEYS[1], ARGV[i], mark .. ':' .. ARGV[i + 1]) end
end
redis.call('HINCRBY', KEYS[1], 'b', ARGV[3])
redis.call('HSET', KEYS[1], 'u', ARGV[4])
if tonumber(ARGV[5]) > tonumber(redis.call('HGET', KEYS[1], 'l')) then redis.call('HSET', KEYS[1], 'l', ARGV[5]) end
local number = tonumber(version)
for i = feed, #ARGV, 5 do
  number = number + 1
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ${KEPT_CHANGES}, string.format('%d', number) .. '-0',
    'at', ARGV[i], 'by', ARGV[i + 1], 'op', ARGV[i + 2], 'path', ARGV[i + 3], 'value', ARGV[i + 4])
end
redis.call('PEXPIRE', KEYS[1], ARGV[6], 'GT')
redis.call('PEXPIRE', KEYS[2], ARGV[6], 'GT')
return made
`);

/** KEYS: state, feed. ARGV: lease until, lease in ms. */
export const TOUCH = script(`
local lease = redis.call('HGET', KEYS[1], 'l')
if not lease then return 0 end
if tonumber(ARGV[1]) > tonumber(lease) then redis.call('HSET', KEYS[1], 'l', ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2], 'GT')
redis.call('PEXPIRE', KEYS[2], ARGV[2], 'GT')
return 1
`);

/** KEYS: messages, count, ids. ARGV: lease in ms, id, then field, value … Answers: its place, or 0 for one that is there already. */
export const PUBLISH = script(`
if redis.call('SADD', KEYS[3], ARGV[2]) == 0 then return 0 end
local seq = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[1], string.format('%d', seq) .. '-0', 'id', unpack(ARGV, 2))
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
return seq
`);

/** Removes passing messages and marks the end. KEYS: messages, count, ids. ARGV: how long the rest stays, in ms. */
export const END = script(`
local over = false
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  if fields['passing'] == '1' then
    redis.call('XDEL', KEYS[1], entry[1])
    redis.call('SREM', KEYS[3], fields['id'])
  end
  if fields['end'] then over = true end
end
if over then return 0 end
local seq = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[1], string.format('%d', seq) .. '-0', 'end', '1')
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
return 1
`);

/** KEYS: run. ARGV: how long it is kept, in ms; draft; lease until; usage. */
export const CREATE_RUN = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'draft', ARGV[2], 'status', 'running', 'lease', ARGV[3], 'usage', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`);

/** KEYS: run. ARGV: lease until, usage (empty: as it is). A run that has ended takes the usage only. */
export const TOUCH_RUN = script(`
local status = redis.call('HGET', KEYS[1], 'status')
if not status then return 0 end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'usage', ARGV[2]) end
if status ~= 'running' then return 0 end
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], 'lease')) then redis.call('HSET', KEYS[1], 'lease', ARGV[1]) end
return 1
`);

/** KEYS: run. ARGV: status, end, usage (empty: as it is), how long it is kept, in ms, before which its lease must have ended (or empty). */
export const END_RUN = script(`
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return 0 end
if ARGV[5] ~= '' and tonumber(redis.call('HGET', KEYS[1], 'lease')) >= tonumber(ARGV[5]) then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[1], 'end', ARGV[2])
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'usage', ARGV[3]) end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`);

/**
 * KEYS: bucket. ARGV: requests per second, requests at most. Answers: 0, or the milliseconds until there is one. A bucket that
 * is full again tells nothing, and goes.
 */
export const TAKE_REQUEST = script(`
local rate, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local passed = math.max(0, now - (tonumber(kept[2]) or now))
local left = math.min(most, (tonumber(kept[1]) or most) + passed * rate / 1000)
local wait = 0
if left < 1 then wait = math.ceil((1 - left) * 1000 / rate) else left = left - 1 end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(most * 1000 / rate))
return wait
`);
