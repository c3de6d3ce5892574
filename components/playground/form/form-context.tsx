"use client";

import { createContext, useContext } from "react";
import type { Problem } from "@/lib/schema-form/problem";

interface FormState {
  problems: readonly Problem[];
  disabled: boolean;
  /** Told +1 when a field starts an upload and -1 when it ends, so that Run can wait for it. */
  onUploading: (change: 1 | -1) => void;
  /** Told of a field whose text is no value; returns what takes it back. */
  onUnreadable: (pointer: string, message: string) => () => void;
}

/** Reaches every field without passing through rjsf, which would compare and redraw the whole form for it. */
export const FormContext = createContext<FormState>({
  problems: [],
  disabled: false,
  onUploading: () => {},
  onUnreadable: () => () => {},
});

/** The mend for the field at `pointer`, when it has a problem of its own. */
export function useProblem(pointer: string): string | null {
  const { problems } = useContext(FormContext);
  return problems.find(({ path }) => path === pointer)?.message ?? null;
}

export function useFormDisabled(): boolean {
  return useContext(FormContext).disabled;
}
