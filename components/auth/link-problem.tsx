import { LinkButton } from "@/components/ui/button";

/** Why a link does not work, and what to do instead. */
export function LinkProblem({ title, children }: { title: string; children: string }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <h2 className="text-title font-semibold">{title}</h2>
      <p className="text-muted">{children}</p>
      <LinkButton href="/sign-in">Go to sign-in</LinkButton>
    </div>
  );
}
