import type { Fault } from "../http/fault.ts";
import { parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";

/** Replicate: `{title, detail, status, invalid_fields?}`. */
export function readReplicateFault(text: string): Fault {
  const body = recordOf(parsed(text));
  const [field] = recordsOf(body.invalid_fields);
  const param = textOf(field?.field)?.replace(/^input\.?/, "") || null;
  return {
    code: textOf(body.title),
    message: textOf(body.detail) ?? textOf(body.error) ?? textOf(body.title),
    param,
  };
}
