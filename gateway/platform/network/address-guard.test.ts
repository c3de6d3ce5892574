import { describe, expect, test } from "vitest";
import { checkUrl, leadsToPublicAddress } from "./address-guard.ts";
import { assertCidrs, isPublicAddress } from "./address-rules.ts";

const policy = { ports: [443], allowCidrs: [] };

const hostileUrls = [
  "http://example.com/hook",
  "ftp://example.com/",
  "https:127.0.0.1",
  "https:///127.0.0.1",
  "https:\\\\127.0.0.1\\x",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://127.1/",
  "https://①②⑦.⓪.⓪.①/",
  "https://１２７.0.0.1/",
  "https://127。0。0。1/",
  "https://127%2e0%2e0%2e1/",
  "https://127.0.0.1./",
  "https://0.0.0.0/",
  "https://10.1.2.3/",
  "https://172.16.0.1/",
  "https://192.168.1.1/",
  "https://100.64.0.1/",
  "https://100.100.100.200/",
  "https://169.254.169.254/latest/meta-data/",
  "https://169.254.169.254../",
  "https://0xA9FEA9FE/",
  "https://2852039166/",
  "https://0251.0376.0251.0376/",
  "https://169.254.43518/",
  "https://168.63.129.16/",
  "https://192.0.0.192/",
  "https://198.18.0.1/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  "https://[::]/",
  "https://[::1]/",
  "https://[::127.0.0.1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001::1]/",
  "https://[2001:db8::1]/",
  "https://[fc00::1]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
  "https://[fe80::1%25eth0]/",
  "https://[ff02::1]/",
  "https://[5f00::1]/",
  "https://localhost/",
  "https://localhost./",
  "https://LOCALHOST../",
  "https://api.localhost/",
  "https://printer.local/",
  "https://metadata.google.internal./",
  "https://metadata.goog/",
  "https://db.svc.cluster.local/",
  "https://router.lan/",
  "https://receiver/",
  "https://user:pass@example.com/",
  "https://@example.com/",
  "https://example.com@127.0.0.1/",
  "https://127.0.0.1\\@example.com/",
  "https://example.com:22/",
  "https://example.com:0/",
  "https://example.com:80/",
  "https://example.com/#fragment",
  "https://example.com/\u0000",
  "https://exa\tmple.com/",
  "https://exa\u00admple.com/",
  "https://example.com/ hook",
  " https://example.com/",
  `https://example.com/${"a".repeat(2048)}`,
  "https://",
  "https://1.2.3.4.5/",
  "example.com/hook",
  "",
];

describe("checkUrl", () => {
  test.each(hostileUrls)("refuses %j", (text) => {
    expect(checkUrl(text, policy)).toMatchObject({ ok: false, reason: expect.stringMatching(/.{10,}/) });
  });

  test.each([
    ["https://example.com/hook?a=1", "https://example.com/hook?a=1"],
    ["HTTPS://Example.COM:443/hook", "https://example.com/hook"],
    ["https://example.com./hook", "https://example.com/hook"],
    ["https://münchen.example/hook", "https://xn--mnchen-3ya.example/hook"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
  ])("stores %s as %s", (text, href) => {
    const checked = checkUrl(text, policy);
    expect(checked.ok && checked.url.href).toBe(href);
  });

  test("allows a configured port and a configured range, never metadata", () => {
    const open = { ports: [443, 8443], allowCidrs: ["127.0.0.0/8", "169.254.0.0/16", "0.0.0.0/0", "::/0"] };
    expect(checkUrl("https://127.0.0.1:8443/", open).ok).toBe(true);
    expect(checkUrl("https://example.com:8443/", open).ok).toBe(true);
    const advice = expect.stringContaining("write 127.0.0.1 instead");
    expect(checkUrl("https://localhost:8443/", open)).toMatchObject({ ok: false, reason: advice });
    expect(checkUrl("https://localhost/", policy)).not.toMatchObject({ reason: advice });
    for (const host of [
      "169.254.169.254",
      "168.63.129.16",
      "[fd00:ec2::254]",
      "[::ffff:169.254.169.254]",
      "[64:ff9b::a9fe:a9fe]",
    ])
      expect(checkUrl(`https://${host}/`, open).ok, host).toBe(false);
  });
});

test("an allowed IPv4 range does not allow the mapped IPv6 form", () => {
  expect(isPublicAddress("127.0.0.1", ["127.0.0.0/8"])).toBe(true);
  expect(isPublicAddress("::ffff:127.0.0.1", ["127.0.0.0/8"])).toBe(false);
});

test("a malformed range is refused by name", () => {
  expect(() => assertCidrs(["10.0.0.0/8", "10.0.0/8"])).toThrow("10.0.0/8");
  expect(() => assertCidrs(["10.0.0.0/33"])).toThrow("10.0.0.0/33");
  expect(() => assertCidrs(["10.0.0.0/x"])).toThrow("10.0.0.0/x");
});

describe("leadsToPublicAddress", () => {
  const leads = (addresses: string[] | Error) =>
    leadsToPublicAddress(new URL("https://hooks.example.com/"), {
      allowCidrs: [],
      resolve: async () => {
        if (addresses instanceof Error) throw addresses;
        return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
    });

  test("a name with only public addresses is accepted; one with a private address, without an address or with a DNS error is not", async () => {
    expect(await leads(["93.184.216.34", "2606:4700::1111"])).toBe(true);
    expect(await leads(["93.184.216.34", "10.0.0.1"])).toBe(false);
    expect(await leads(["93.184.216.34", "::1"])).toBe(false);
    expect(await leads([])).toBe(false);
    expect(await leads(new Error("ENOTFOUND"))).toBe(false);
  });
});
