import type { Guide } from "../guide.ts";

export const gatesGuide: Guide = {
  sections: [
    {
      title: "Three gates",
      parts: [
        {
          head: ["Gate", "Asks", "Code"],
          rows: [
            ["Adult", "A person attests once that they are an adult", "`adult_attestation_required`"],
            [
              "Portrait rights",
              "A person attests once that they hold the rights to the portraits they use",
              "`portrait_rights_attestation_required`",
            ],
            [
              "Person rights",
              "Every request says `person_rights_confirmed: true`",
              "`person_rights_confirmation_required`",
            ],
          ],
        },
        {
          text: "A model's page in the [catalog](/catalog) names its gates. They are checked in this order, before anything runs or is charged.",
        },
      ],
    },
    {
      title: "Attest",
      parts: [
        {
          text: "Read and confirm the statements on [Attestations](/attestations), signed in with e-mail and password. It counts at once for what that person runs, with their personal keys too, and for the service keys that they are responsible for. They can withdraw it at any time. No key can attest, and a new version of a statement asks again.",
        },
      ],
    },
    {
      title: "In a program",
      parts: [
        {
          text: "A closed gate is a 403. Retrying does not help: a person has to confirm first. Stop, and tell that person what to do. Never set `person_rights_confirmed` by default: it is the answer of the person who sends this request.",
        },
        { snippet: "gateRefusal" },
      ],
    },
  ],
};
