import { expect, it } from "vitest";
import type { CatalogModel } from "#contract/catalog.ts";
import { modelChoices } from "./model-choices.ts";

const model = (id: string, adult: boolean, portrait: boolean, each: boolean) =>
  ({
    id,
    safety_requirements: {
      adult_attestation_required: adult,
      portrait_rights_attestation_required: portrait,
      per_request_person_rights_confirmation_required: each,
    },
  }) as CatalogModel;
const models = [
  model("svc/open", false, false, false),
  model("svc/adult", true, false, false),
  model("svc/both", true, true, false),
  model("svc/each", true, true, true),
];

it("offers a model that needs an attestation only if the person has given it, and never one that needs a confirmation for each run", () => {
  const adult = [
    { kind: "adult" as const, active: true },
    { kind: "portrait_rights" as const, active: false },
  ];
  expect(modelChoices(models, adult)).toEqual([
    { id: "svc/open", gated: false, barred: null },
    { id: "svc/adult", gated: true, barred: null },
    { id: "svc/both", gated: true, barred: "you have not attested" },
    { id: "svc/each", gated: true, barred: "a person confirms each run" },
  ]);
  expect(modelChoices(models, []).filter(({ barred }) => barred === null)).toHaveLength(1);
});
