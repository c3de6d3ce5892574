import type { Member, MemberSignInWay } from "#contract/members.ts";

const wayLabels: Record<MemberSignInWay, string> = {
  password: "password",
  passkey: "passkey",
  provider: "identity provider",
};

/** How a member signs in, for those who manage members. */
export function MemberSignIn({ signIn }: { signIn: Member["sign_in"] }) {
  if (!signIn) return <span className="text-faint">–</span>;
  const words = signIn.ways.map((way) => wayLabels[way]).join(", ") || "No way yet";
  return (
    <>
      <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>
      <span className="block text-meta text-muted">
        {signIn.has_second_factor ? "has a second factor" : "no second factor"}
      </span>
    </>
  );
}
