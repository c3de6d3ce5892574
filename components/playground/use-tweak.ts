"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { usePageRouter } from "@/components/ui/page/link";
import type { KeptConversation } from "@/lib/conversations/kept-conversation";
import type { FormPlan } from "@/lib/schema-form/plan";
import type { LoadedInput } from "./load-input.ts";

/** Loads the input of an earlier prediction or preset once, and reports the result. */
export function useTweak(
  from: string | null,
  plan: FormPlan,
  load: (input: Record<string, unknown>, conversation?: KeptConversation) => void,
): string | null {
  const t = useWords("playground");
  const ui = useWords("ui");
  const [notice, setNotice] = useState<string | null>(null);
  const latest = useRef(load);
  latest.current = load;
  const said = useRef({ t, ui });
  said.current = { t, ui };
  const router = usePageRouter();
  useEffect(() => {
    if (!from) return;
    let wanted = true;
    void import("./load-input.ts")
      .then(({ loadInput }) => loadInput(from, plan, said.current.t, said.current.ui))
      .catch((): LoadedInput => ({ input: null, notice: said.current.t("theInputCouldNotBeLoaded") }))
      .then(({ input, notice, conversation }) => {
        if (!wanted) return;
        setNotice(notice);
        if (!input) return;
        if (conversation) latest.current(input, conversation);
        else latest.current(input);
        // Removes the parameter, because a reload or Back would load the input again over later edits. Uses
        // the router, whose state of the page also contains the address.
        const address = new URL(window.location.href);
        address.searchParams.delete("from");
        router.replace(`${address.pathname}${address.search}`, { scroll: false });
      });
    return () => {
      wanted = false;
    };
  }, [from, plan, router]);
  return notice;
}
