import fc from "fast-check";
import { Value } from "typebox/value";
import { expect, it } from "vitest";
import { Manifest } from "#contract/outputs.ts";
import { manifestOf } from "./manifest-of.ts";

it("makes a bounded manifest of any report", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (signature, assertions, info) => {
      const active = { signature_info: signature, assertions, claim_generator_info: info };
      for (const report of [signature, { active_manifest: "a", manifests: { a: active } }]) {
        const manifest = manifestOf(report);
        expect(Value.Check(Manifest, manifest)).toBe(true);
        expect(JSON.stringify(manifest).length).toBeLessThan(50_000);
      }
    }),
  );
});

it("shows no control characters and not endless text, and takes no inherited name for a manifest", () => {
  const issuer = `\u202egnp.exe${"x".repeat(10_000)}`;
  const report = (name: string) =>
    JSON.parse(
      `{"active_manifest":"${name}","manifests":{"a":{"signature_info":{"issuer":${JSON.stringify(issuer)}}}}}`,
    );
  expect(manifestOf(report("a")).issuer).toMatch(/^gnp\.exex{1,300}$/);
  for (const name of ["__proto__", "constructor", "toString"])
    expect(manifestOf(report(name)).issuer).toBeNull();
});
