/** Detects addresses of this machine, its network and its cloud provider, which models must not reach. */
import { BlockList, isIP } from 'node:net';
import { once } from '../kernel/once.ts';

/** From the registries of special addresses of IANA; the two single ones hand out the secrets of a cloud. */
const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Everything in which an IPv4 address may hide, or that is not routed: all but 2000::/3 is out already. */
const IPV6 = [
  ['::', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
] as const;

const internal = once(() => {
  const [ipv4, ipv6] = [new BlockList(), new BlockList()];
  for (const [network, bits] of IPV4) ipv4.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of IPV6) ipv6.addSubnet(network, bits, 'ipv6');
  return { ipv4, ipv6 };
});

/** What is not an address at all counts as internal: nobody knows where it leads. */
export function isInternalAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 4) return internal().ipv4.check(plain, 'ipv4');
  return family === 6 ? internal().ipv6.check(plain, 'ipv6') : true;
}
