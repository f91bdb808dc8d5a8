/**
 * What Redis does in one step. JSON is never taken apart here: Lua would make `{}` of `[]` and cut large numbers, so
 * values come and go as the text that they are.
 */
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
 * KEYS: state, feed. ARGV: version that must be (or empty), largest size, growth, at, lease until, lease in ms, by, op,
 * path, value, number of expectations, then field, its version …, then field, JSON (empty: remove) …
 * Answers: the new version; or {'gone'}, {'version', present}, {'changed'}, {'large', size}.
 */
export const EDIT = script(`
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return {'gone'} end
if ARGV[1] ~= '' and ARGV[1] ~= version then return {'version', version} end
local at = 12
for _ = 1, tonumber(ARGV[11]) do
  local present = redis.call('HGET', KEYS[1], ARGV[at])
  local found = present and string.match(present, '^%d+') or ''
  if found ~= ARGV[at + 1] then return {'changed'} end
  at = at + 2
end
local size = redis.call('HGET', KEYS[1], 'b') + ARGV[3]
if size > tonumber(ARGV[2]) then return {'large', string.format('%d', size)} end
local made = redis.call('HINCRBY', KEYS[1], 'v', 1)
local mark = string.format('%d', made)
for i = at, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[1], ARGV[i])
  else redis.call('HSET', KEYS[1], ARGV[i], mark .. ':' .. ARGV[i + 1]) end
end
redis.call('HINCRBY', KEYS[1], 'b', ARGV[3])
redis.call('HSET', KEYS[1], 'u', ARGV[4])
if tonumber(ARGV[5]) > tonumber(redis.call('HGET', KEYS[1], 'l')) then redis.call('HSET', KEYS[1], 'l', ARGV[5]) end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, mark .. '-0', 'at', ARGV[4], 'by', ARGV[7], 'op', ARGV[8], 'path', ARGV[9], 'value', ARGV[10])
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

/** KEYS: messages, count. ARGV: lease in ms, then field, value … */
export const PUBLISH = script(`
local seq = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[1], string.format('%d', seq) .. '-0', unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return seq
`);

/** Removes passing messages and marks the end. KEYS: messages, count. ARGV: how long the rest stays, in ms. */
export const END = script(`
local over = false
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
  local fields = entry[2]
  for i = 1, #fields, 2 do
    if fields[i] == 'passing' and fields[i + 1] == '1' then redis.call('XDEL', KEYS[1], entry[1]) end
    if fields[i] == 'end' then over = true end
  end
end
if over then return 0 end
local seq = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[1], string.format('%d', seq) .. '-0', 'end', '1')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return 1
`);
