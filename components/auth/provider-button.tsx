import { LogIn } from "lucide-react";
import { buttonLook } from "@/components/ui/control-look";

/** Leaves for the identity provider and comes back to `returnTo`. */
export function ProviderButton({ name, returnTo }: { name: string; returnTo: string }) {
  return (
    <>
      {/* A plain link: Next would fetch its page ahead, and each fetch begins a sign-in. */}
      <a
        href={`/sign-in/provider?from=${encodeURIComponent(returnTo)}`}
        className={buttonLook("primary", "md", "w-full")}
      >
        <LogIn size={16} aria-hidden />
        Sign in with {name}
      </a>
      <p className="my-4 flex items-center gap-3 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
    </>
  );
}
