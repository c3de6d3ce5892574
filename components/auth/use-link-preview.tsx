import { useEffect, useState } from "react";
import { LinkButton } from "@/components/ui/button";
import { useWords } from "@/components/words/use-words";
import { answerOf } from "@/lib/browser/action-answer";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";

type LinkPreview<Preview> =
  | { state: "loading" }
  | { state: "none" }
  | { state: "failed"; error: GatewayFailure; retry: () => void }
  | { state: "known"; token: string; preview: Preview };

/** Reads what the link in the address would do. Nothing changes yet. */
export function useLinkPreview<Preview>(
  look: (token: string) => ActionResult<Preview>,
): LinkPreview<Preview> {
  const token = useLinkToken();
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState<LinkPreview<Preview>>({ state: "loading" });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks again.
  useEffect(() => {
    if (token === null) return;
    if (token === "") return setKnown({ state: "none" });
    let current = true;
    setKnown({ state: "loading" });
    void answerOf(look(token)).then((answer) => {
      if (!current) return;
      setKnown(
        answer.ok
          ? { state: "known", token, preview: answer.data }
          : { state: "failed", error: answer.error, retry: () => setTries((count) => count + 1) },
      );
    });
    return () => {
      current = false;
    };
  }, [token, look, tries]);

  return known;
}

/**
 * The one-time token after `#` in the address, which no server receives. Null until the page's scripts run,
 * empty without a token.
 */
function useLinkToken(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setToken(decodeURIComponent(location.hash.slice(1)));
    read();
    // If the tab already shows this page, opening the link changes only the fragment.
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return token;
}

/** Why a link does not work, and what to do instead. */
export function LinkProblem({ title, children }: { title: string; children: string }) {
  const t = useWords("links");
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <h2 className="text-title font-semibold">{title}</h2>
      <p className="text-muted">{children}</p>
      <LinkButton href="/sign-in">{t("toSignIn")}</LinkButton>
    </div>
  );
}

/** What `<b>` makes of its content in a message. */
export function bold(content: string[]) {
  return <b key={content.join()}>{content}</b>;
}
