"use client";

import { type Role, reachesRole, roles } from "#contract/accounts/roles.ts";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { roleLabels, roleMeanings } from "@/lib/team/roles";
import { useAccess } from "./access.tsx";

/** The roles with their rights; roles above one's own cannot be chosen. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { role: own } = useAccess();
  return (
    <RadioGroup
      legend="Role"
      value={value}
      onChange={onChange}
      options={roles.map((role) => {
        const reached = own === null || reachesRole(own, role);
        return {
          value: role,
          label: roleLabels[role],
          hint: reached ? roleMeanings[role] : `${roleMeanings[role]} Only an ${role} can give this role.`,
          disabled: !reached,
        };
      })}
    />
  );
}
