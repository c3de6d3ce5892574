import { expect, it } from "vitest";
import type { Provenance } from "#contract/outputs.ts";
import { english } from "@/scripts/testing/english";
import { describeCredentials, labelSource } from "./provenance-facts.tsx";

const t = english("provenance");

const claims = { generator: null, digital_source_type: null, actions: [], signed_at: null };
const signed = (validation: "valid" | "invalid" | "unreadable"): Provenance => ({
  state: "present",
  issuer: "Example Models",
  claims: { ...claims, validation },
  sha256: null,
});

it("names the signer, and whether the signature is still valid", () => {
  expect(describeCredentials(signed("valid"), t)).toBe("signed by Example Models");
  expect(describeCredentials(signed("invalid"), t)).toBe(
    "signed by Example Models, but the check failed: the file was changed later, or the signature is wrong",
  );
  expect(describeCredentials(signed("unreadable"), t)).toMatch("unreadable");
  expect(describeCredentials({ ...signed("valid"), state: "absent" }, t)).toBe("none");
});

it("has words for IPTC's terms, and shows other terms unchanged", () => {
  expect(labelSource("http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia", t)).toBe(
    "Made by a generative model",
  );
  for (const term of ["constructor", "http://example.com/toString", ""])
    expect(labelSource(term, t)).toBe(term);
});
