import { LogIn } from "lucide-react";
import { buttonLook } from "@/components/ui/form/control-look";
import { OrDivider } from "./or-divider.tsx";

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
      <OrDivider />
    </>
  );
}
