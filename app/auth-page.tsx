import type { ReactNode } from "react";
import { AuthFrame } from "@/components/auth/auth-frame";
import { LanguageChoice } from "@/components/words/language-choice";
import { requestLanguage } from "@/lib/server/words";
import type { Part } from "@/messages/words";
import { WithWords } from "./with-words.tsx";

interface AuthPageProps {
  /** The parts whose messages its client components say, beside the fields. */
  parts: readonly Part[];
  title: string;
  description: string;
  children: ReactNode;
}

/** A page before sign-in, in the visitor's language. */
export async function AuthPage({ parts, title, description, children }: AuthPageProps) {
  const language = await requestLanguage();
  return (
    <WithWords parts={["fields", ...parts]}>
      <AuthFrame title={title} description={description} language={language} foot={<LanguageChoice />}>
        {children}
      </AuthFrame>
    </WithWords>
  );
}
