import type { Profile } from "#contract/accounts/profile.ts";
import { NameForm } from "@/components/settings/name-form";
import { Badge } from "@/components/ui/badge";
import type { ActionResult } from "@/lib/gateway/result";

interface NamePartProps {
  profile: Profile;
  rename: (name: string) => ActionResult<Profile>;
}

export function NamePart({ profile, rename }: NamePartProps) {
  return (
    <NameForm
      label="Name"
      hint="Other members see it beside what you do."
      name={profile.name}
      save={rename}
      autoComplete="name"
    >
      <div>
        <p className="text-table font-medium">E-mail</p>
        <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
          {profile.email} <Badge>{profile.email_verified ? "verified" : "not verified"}</Badge>
        </p>
      </div>
    </NameForm>
  );
}
