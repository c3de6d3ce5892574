"use client";

import { useState } from "react";
import type { GatewayFailure, GatewayResult } from "@/lib/gateway/result";

/** The fields of a form, and a function that marks one as wrong: `setError` of react-hook-form. */
interface Fields<Name extends string> {
  names: readonly Name[];
  setError: (name: Name, error: { message: string }, options: { shouldFocus: true }) => void;
}

/**
 * Sends the request of a form or dialog. An error is shown at the field that it names, if the form has that
 * field. Otherwise it is the `failure`. The next attempt clears it.
 */
export function useSend<Name extends string>(fields?: Fields<Name>) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const show = (error: GatewayFailure | null) => {
    const field = error && fields ? fieldOf(error, fields.names) : null;
    const mark = (message: string) => field && fields?.setError(field, { message }, { shouldFocus: true });
    if (!error || !field) setFailure(error);
    else if (document.documentElement.lang === "en") mark(error.message);
    else
      import("@/lib/status/failure-words")
        .then(({ fieldText }) => fieldText(error))
        .catch(() => error.message)
        .then(mark);
  };
  /** For calls that return only a failure. Null on success. */
  const attempt = async (work: () => Promise<GatewayFailure | null>): Promise<GatewayFailure | null> => {
    setBusy(true);
    setFailure(null);
    const error = await work();
    setBusy(false);
    show(error);
    return error;
  };
  /** `leaves`: the request leads to another page, so the form stays busy until that page is there. */
  const send = async <Data>(
    work: () => Promise<GatewayResult<Data>>,
    { leaves = false } = {},
  ): Promise<GatewayResult<Data>> => {
    setBusy(true);
    setFailure(null);
    const answer = await work();
    if (!answer.ok || !leaves) setBusy(false);
    if (!answer.ok) show(answer.error);
    return answer;
  };
  return { busy, failure, show, attempt, send };
}

/** The form field of a 400, if the form has it: by `param`, otherwise by the pointer of the first detail. */
function fieldOf<Name extends string>(failure: GatewayFailure, names: readonly Name[]): Name | null {
  const pointer = failure.param ?? failure.details[0]?.path ?? "";
  const parts = pointer.replace(/^\//, "").split(/[./[]/);
  return names.find((name) => name === parts.join(".")) ?? names.find((name) => name === parts[0]) ?? null;
}
