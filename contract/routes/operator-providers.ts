import { Type } from "typebox";
import { NoQuery } from "../list.ts";
import {
  LocalServerList,
  OperatorProvider,
  OperatorProviderList,
  ProviderCreate,
  ProviderDeleted,
  ProviderPresetList,
  ProviderTest,
  ProviderUpdate,
  UpstreamModelList,
  UpstreamModelQuery,
} from "../operator/providers.ts";
import type { Routes } from "./route.ts";

const params = Type.Object({ id: Type.String({ description: "id or name of the provider" }) });

export const operatorProviderRoutes = {
  "GET /operator/providers": {
    summary: "List the providers of this installation, without their keys",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorProviderList },
  },
  "POST /operator/providers": {
    summary: "Connect a provider",
    operator: true,
    extension: true,
    byClick: true,
    body: ProviderCreate,
    answers: { 201: OperatorProvider },
  },
  "GET /operator/providers/{id}": {
    summary: "Read a provider, without its keys",
    operator: true,
    extension: true,
    params: params,
    query: NoQuery,
    answers: { 200: OperatorProvider },
  },
  "PATCH /operator/providers/{id}": {
    summary: "Change a provider",
    operator: true,
    extension: true,
    byClick: true,
    params: params,
    body: ProviderUpdate,
    answers: { 200: OperatorProvider },
  },
  "POST /operator/providers/{id}/test": {
    summary: "Test a provider with a request that costs nothing",
    operator: true,
    extension: true,
    params: params,
    answers: { 200: ProviderTest },
  },
  "GET /operator/providers/{id}/models": {
    summary: "List the models of a provider",
    operator: true,
    extension: true,
    fromBrowser: true,
    params: params,
    query: UpstreamModelQuery,
    answers: { 200: UpstreamModelList },
  },
  "GET /operator/provider_presets": {
    summary: "List the providers that can be connected in one step",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: ProviderPresetList },
  },
  "GET /operator/local_servers": {
    summary: "Find model servers on this machine",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: LocalServerList },
  },
  "DELETE /operator/providers/{id}": {
    summary: "Remove a provider, once its running predictions have ended",
    operator: true,
    extension: true,
    byClick: true,
    params: params,
    answers: { 200: ProviderDeleted, 202: ProviderDeleted },
  },
} as const satisfies Routes;
