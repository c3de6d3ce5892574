import NextAuth from "next-auth";
import { authOptions } from "@/lib/server/auth-options";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

function handle(request: Request, context: Context): Promise<Response> {
  return NextAuth(authOptions())(request, context);
}

export { handle as GET, handle as POST };
