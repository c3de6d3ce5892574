import { type Static, Type } from "typebox";
import type { Routes } from "../routes/route.ts";

/** `look`: it works, but is old, open or unusual. `wrong`: something does not work. */
export const findingStates = ["good", "look", "wrong"] as const;

export const Finding = Type.Object({
  check: Type.String({ description: "the part of the installation" }),
  state: Type.Enum(findingStates, {
    description: "`look`: it works, but is old, open or unusual; `wrong`: something does not work",
  }),
  found: Type.String({ description: "without any secret" }),
  todo: Type.Union([Type.String(), Type.Null()], { description: "null: there is nothing to do" }),
});
export type Finding = Static<typeof Finding>;

export const DoctorReport = Type.Object({ object: Type.Literal("doctor"), findings: Type.Array(Finding) });
export type DoctorReport = Static<typeof DoctorReport>;

export const operatorDoctorRoutes = {
  "POST /operator/doctor": {
    summary: "Find what is wrong or old in this installation",
    operator: true,
    extension: true,
    byClick: true,
    answers: { 200: DoctorReport },
  },
} as const satisfies Routes;
