/** What the routes for keys and for erasing take and return, as far as the page reads it. Types only. */

export interface Identity {
  readonly role: 'reader' | 'worker' | 'lead' | 'admin';
  readonly agent: string | null;
  readonly user: string | null;
}

export interface NewKey {
  readonly name: string;
  readonly role: string;
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly userPrefix?: string | undefined;
  readonly expiresAt?: number | undefined;
}

/** Without its secret. */
export interface ApiKey extends NewKey {
  readonly id: string;
  readonly createdAt: number;
  readonly revokedAt?: number | undefined;
  readonly lastUsedAt?: number | undefined;
}

export type CreatedKey = ApiKey & { readonly key: string };

export interface ErasedLayers {
  readonly records: number;
  readonly messages: number;
  readonly events: number;
  readonly quarantined: number;
  readonly marks: number;
  readonly items: number;
  readonly files: number;
  readonly runs: number;
}

/** Signed by the workspace; shown and checked, never read. */
export type EraseReceipt = Readonly<Record<string, unknown>>;

export interface ById {
  readonly params: { readonly id: string };
}

export interface RoutesOfAdmins {
  'GET /v1/whoami': { answer: Identity };
  'GET /v1/keys': { answer: readonly ApiKey[] };
  'POST /v1/keys': { body: NewKey; answer: CreatedKey };
  'POST /v1/keys/:id/rotate': ById & { body: Record<never, never>; answer: CreatedKey };
  'DELETE /v1/keys/:id': ById & { answer: ApiKey };

  'POST /v1/erase/run': {
    body: { user: string; dryRun: boolean };
    answer: readonly {
      readonly found: ErasedLayers;
      readonly receipt: EraseReceipt | null;
      readonly remains: readonly string[];
    }[];
  };
  'POST /v1/erase/verify': {
    body: { user: string; receipt: EraseReceipt };
    answer: { readonly genuine: boolean; readonly verified: boolean };
  };
}
