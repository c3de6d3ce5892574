"use client";

import { Square } from "lucide-react";
import type { ComponentProps } from "react";
import { WhoCan } from "@/components/team/lazy-who-can";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { usePlayground } from "./use-playground";

interface RunButtonProps extends Omit<ComponentProps<typeof Button>, "ref" | "variant" | "onClick"> {
  onRun: () => void;
  /** Stops the run. Null if nothing can be stopped. */
  stop: (() => void) | null;
}

/** Starts a run or a message, or stops it. If the role may not run, shows who may. */
export function RunButton({ onRun, stop, ...button }: RunButtonProps) {
  const { runButton } = usePlayground();
  if (stop)
    return (
      <Button
        ref={runButton}
        icon={<Square size={14} aria-hidden />}
        onClick={stop}
        aria-keyshortcuts="Escape"
      >
        Stop
      </Button>
    );
  return (
    <Permitted
      to="operations:run"
      otherwise={
        <p className="text-table text-muted">
          Your role cannot run operations. <WhoCan to="operations:run" />
        </p>
      }
    >
      <Button ref={runButton} variant="primary" onClick={onRun} {...button} />
    </Permitted>
  );
}
