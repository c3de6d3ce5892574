import type { AttestationKind } from "#contract/attestations.ts";

/** A statement as a user confirms it; changing a text means a new version, and every user is asked again. */
export interface Statement {
  kind: AttestationKind;
  version: string;
  title: string;
  statement: string;
}

export const statements: Record<AttestationKind, Statement> = {
  adult: {
    kind: "adult",
    version: "2026-11-01",
    title: "You are an adult",
    statement:
      "I am at least 18 years old, or of legal age where I live if that is higher. I will use adult-gated operations " +
      "only for lawful purposes, will not create or attempt to create sexual content that involves minors, and will keep " +
      "what they produce away from minors.",
  },
  portrait_rights: {
    kind: "portrait_rights",
    version: "2026-11-01",
    title: "You hold the rights to the portraits that you use",
    statement:
      "For every identifiable person in the images, audio and video that I submit, I am that person or have that " +
      "person's explicit permission for this use, and I can prove it on request. I will not use these operations to " +
      "deceive, harass or defame anyone.",
  },
};
