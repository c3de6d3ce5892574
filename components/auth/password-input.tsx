"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/form/input";
import { classNames } from "@/components/ui/looks";

interface PasswordInputProps extends Omit<ComponentProps<"input">, "type"> {
  /** The kind of secret, for the button's label. */
  what?: string;
}

/** A secret to type or paste, with a button that shows it. */
export function PasswordInput({ what = "password", className, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative flex">
      <Input
        {...rest}
        className={classNames("pr-10!", className)}
        type={shown ? "text" : "password"}
        spellCheck={false}
        autoCapitalize="none"
      />
      <IconButton
        size="sm"
        className="absolute inset-y-0 right-0.5 my-auto"
        label={shown ? `Hide ${what}` : `Show ${what}`}
        icon={shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        onClick={() => setShown(!shown)}
      />
    </span>
  );
}
