export { beginProviderSignIn as GET } from "@/lib/server/provider-sign-in";
