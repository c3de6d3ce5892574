"use client";

import { createContext, useContext } from "react";
import type { Problem } from "@/lib/schema-form/problem";

interface FormState {
  problems: readonly Problem[];
  disabled: boolean;
  /** Told +1 when a field starts an upload and -1 when it ends, so that Run can wait for it. */
  onUploading: (change: 1 | -1) => void;
}

/** Reaches every field without passing through rjsf, which would compare and redraw the whole form for it. */
export const FormContext = createContext<FormState>({
  problems: [],
  disabled: false,
  onUploading: () => {},
});

/** The mend for the field at `pointer`, when it has a problem of its own. */
export function useProblem(pointer: string): string | null {
  const { problems } = useContext(FormContext);
  return problems.find(({ path }) => path === pointer)?.message ?? null;
}

export function useFormDisabled(): boolean {
  return useContext(FormContext).disabled;
}
