"use client";

import { useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { usePageRouter } from "@/components/ui/page/link";
import type { KeptConversation } from "@/lib/conversations/kept-conversation";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import type { LoadedInput } from "./load-input.ts";

/** Loads the input of an earlier prediction or preset once, or the model's `example`, and reports the result. */
export function useTweak(
  from: string | null,
  plan: FormPlan,
  example: JsonObject,
  load: (input: Record<string, unknown>, conversation?: KeptConversation) => void,
): string | null {
  const t = useWords("playground");
  const ui = useWords("ui");
  const [notice, setNotice] = useState<string | null>(null);
  const latest = useRef({ load, example });
  latest.current = { load, example };
  const said = useRef({ t, ui });
  said.current = { t, ui };
  const router = usePageRouter();
  useEffect(() => {
    if (!from) return;
    let wanted = true;
    const { t, ui } = said.current;
    const loading: Promise<LoadedInput> =
      from === "example"
        ? Promise.resolve({ input: latest.current.example, notice: t("exampleLoaded") })
        : import("./load-input.ts").then(({ loadInput }) => loadInput(from, plan, t, ui));
    void loading
      .catch((): LoadedInput => ({ input: null, notice: said.current.t("theInputCouldNotBeLoaded") }))
      .then(({ input, notice, conversation }) => {
        if (!wanted) return;
        setNotice(notice);
        if (!input) return;
        if (conversation) latest.current.load(input, conversation);
        else latest.current.load(input);
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
