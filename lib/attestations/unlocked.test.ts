import { expect, it } from "vitest";
import { unlockedBy } from "./gates.ts";

const none = {
  adult_attestation_required: false,
  minimum_age: null,
  portrait_rights_attestation_required: false,
  per_request_person_rights_confirmation_required: false,
};

it("lists each model under every gate that its entry names", () => {
  const swap = {
    adult_attestation_required: true,
    minimum_age: 18,
    portrait_rights_attestation_required: true,
    per_request_person_rights_confirmation_required: true,
  };
  const models = [
    { id: "svc/chat-1", safety_requirements: none },
    {
      id: "svc/adult-img-1",
      safety_requirements: { ...none, adult_attestation_required: true, minimum_age: 18 },
    },
    { id: "svc/swap-1", safety_requirements: swap },
  ];
  expect(unlockedBy(models)).toEqual({
    adult_attestation_required: ["svc/adult-img-1", "svc/swap-1"],
    portrait_rights_attestation_required: ["svc/swap-1"],
    person_rights_confirmation_required: ["svc/swap-1"],
  });
});
