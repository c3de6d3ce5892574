import type { GatewayFailure } from "../gateway/result.ts";

/** The form field of a 400, if the form has it: by `param`, else by the first detail's pointer. */
export function failureField<Name extends string>(
  failure: GatewayFailure,
  names: readonly Name[],
): Name | null {
  const pointer = failure.param ?? failure.details[0]?.path ?? "";
  const parts = pointer.replace(/^\//, "").split(/[./[]/);
  return names.find((name) => name === parts.join(".")) ?? names.find((name) => name === parts[0]) ?? null;
}
