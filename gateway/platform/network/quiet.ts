import { ApiError } from "#gateway/platform/core/api-error.ts";

/*
 * With `GATEHOUSE_QUIET=on` an installation sends nothing to other machines, so that a restored copy does not act in
 * place of the original. Everything that opens a connection for deliveries, messages, copies, media and upstreams asks
 * here first. The database, the object store and the identity provider do not: without them nobody could look at the copy.
 */

/** The header of every answer of a quiet installation. */
export const quietHeader = "x-svc-quiet";

let isQuiet = false;

/** Called once, when the process starts. */
export function setQuiet(on: boolean): void {
  isQuiet = on;
}

/** Nothing was sent. */
export class QuietError extends ApiError {
  constructor() {
    super(
      "service_unavailable",
      "This installation is quiet (GATEHOUSE_QUIET=on): it connects to no other machine, and only the sandbox runs models.",
    );
  }
}

/** Throws `QuietError` if the installation is quiet. */
export function assertMayLeave(): void {
  if (isQuiet) throw new QuietError();
}
