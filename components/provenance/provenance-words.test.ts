import { expect, it } from "vitest";
import type { Provenance } from "#contract/outputs.ts";
import { credentialsWords, sourceWords } from "./provenance-words.ts";

const claims = { generator: null, digital_source_type: null, actions: [], signed_at: null };
const signed = (validation: "valid" | "invalid" | "unreadable"): Provenance => ({
  state: "present",
  issuer: "Example Models",
  claims: { ...claims, validation },
  sha256: null,
});

it("says who signed, and whether that still holds", () => {
  expect(credentialsWords(signed("valid"))).toBe("signed by Example Models");
  expect(credentialsWords(signed("invalid"))).toBe(
    "signed by Example Models, but the check failed: the file was changed since, or the signature is wrong",
  );
  expect(credentialsWords(signed("unreadable"))).toMatch("cannot be read");
  expect(credentialsWords({ ...signed("valid"), state: "absent" })).toBe("none");
});

it("has words for IPTC's terms, and repeats others", () => {
  expect(sourceWords("http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia")).toBe(
    "Made by a generative model",
  );
  for (const term of ["constructor", "http://example.com/toString", ""]) expect(sourceWords(term)).toBe(term);
});
