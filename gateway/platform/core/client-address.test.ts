import { expect, it } from "vitest";
import { readClientAddress, signClientAddress, trustedProxies } from "./trusted-proxies.ts";

const [secret, other] = ["console-secret-0001", "console-secret-0002"];

it("accepts an address recently signed with one of the secrets, and no other", () => {
  const now = Date.now();
  const signed = signClientAddress(secret, "2001:db8::7", now);
  expect(readClientAddress([other, secret], signed, now + 200_000)).toBe("2001:db8::7");
  expect(readClientAddress([other], signed, now)).toBeNull();
  expect(readClientAddress([secret], signed, now + 400_000)).toBeNull();
  expect(readClientAddress([secret], signed.replace("::7", "::8"), now)).toBeNull();
  for (const junk of ["", "203.0.113.7", "t=1,a=,v1=", `${signed},`])
    expect(readClientAddress([secret], junk, now)).toBeNull();
});

it.each([
  [["loopback"], "127.0.0.1", "203.0.113.7", "203.0.113.7"],
  [["loopback"], "::1", "198.51.100.1, 203.0.113.7", "203.0.113.7"],
  [["loopback"], "::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"],
  [["loopback", "10.0.0.0/8"], "127.0.0.1", "203.0.113.7, 10.2.3.4", "203.0.113.7"],
  [["loopback"], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  [["loopback"], "127.0.0.1", "203.0.113.7:5678", "203.0.113.7"],
  [["loopback", "10.0.0.0/8"], "127.0.0.1", "[2001:db8::7]:99, 10.2.3.4:80", "2001:db8::7"],
  [["loopback"], "127.0.0.1", "[2001:db8::7]", "2001:db8::7"],
  [["loopback"], "127.0.0.1", "2001:db8::7:99", "2001:db8::7:99"],
  [["loopback"], "127.0.0.1", "nonsense", "127.0.0.1"],
  [["loopback"], "127.0.0.1", "[nonsense]:80", "127.0.0.1"],
  [["loopback"], "127.0.0.1", undefined, "127.0.0.1"],
  [[], "127.0.0.1", "203.0.113.7", "127.0.0.1"],
])("behind %j, %s saying %s is %s", (entries, peer, forwardedFor, address) => {
  expect(trustedProxies(entries).clientAddress(peer, forwardedFor)).toBe(address);
});

it.each(["on", "10.0.0.0/33", "10.0.0/8", "proxy.example.com"])("refuses %s", (entry) => {
  expect(() => trustedProxies([entry])).toThrow(`"${entry}"`);
});
