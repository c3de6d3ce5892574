"use client";

import type { ComponentProps } from "react";
import { useHydrated } from "@/lib/browser/use-hydrated";
import { Button } from "../button.tsx";

/**
 * The main button of a form that only a script can send. It is disabled before hydration, because the browser
 * itself would then send the form, and everything that was typed would be lost.
 */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, "type" | "variant">) {
  const isHydrated = useHydrated();
  return (
    <Button
      {...props}
      type="submit"
      variant="primary"
      disabled={props.disabled || !isHydrated}
      className={isHydrated ? props.className : "disabled:opacity-100"}
    />
  );
}
