import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/server/auth-options";
import { answerAuth } from "@/lib/server/auth-routes";
import { answerPasskeyOptions } from "@/lib/server/passkey-options";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  return answerAuth(request, nextauth, (bounded) =>
    nextauth[0] === "passkey-options"
      ? answerPasskeyOptions(bounded)
      : NextAuth(authOptions())(bounded, context),
  );
}

export { handle as GET, handle as POST };
