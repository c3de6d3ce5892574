"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

interface PasswordInputProps extends Omit<ComponentProps<"input">, "type"> {
  /** What is hidden, for the button's name. */
  what?: string;
}

/** A secret to type or paste, with a button that shows it. */
export function PasswordInput({ what = "password", ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <span className="flex gap-1">
      <Input {...rest} type={shown ? "text" : "password"} spellCheck={false} autoCapitalize="none" />
      <IconButton
        label={shown ? `Hide ${what}` : `Show ${what}`}
        icon={shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        onClick={() => setShown(!shown)}
      />
    </span>
  );
}
