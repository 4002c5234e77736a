// The problems of each operation, by its input, and one shared response for each combination of problems.

import { errorShapeAt } from '../compat/error-shape.ts'
import {
  PROBLEM_MEDIA_TYPE,
  PROBLEMS,
  type ProblemBody,
  type ProblemCode,
  ProblemSchema,
  problemBody,
} from '../contract/problem.ts'
import type { Contract } from '../contract/route.ts'
import type { Hoist, JsonObject } from '../contract/schema-hoister.ts'

/** Any route may return these codes. */
const GUARD_CODES = [
  ...['peer_not_local', 'peer_of_another_user'],
  ...['host_not_allowed', 'origin_not_allowed', 'cross_site'],
] as const

/** For routes that are not open: the operating system or the database may be unavailable for a while. */
const MACHINE_CODES = ['database_damaged', 'storage_unavailable', 'no_handles_left'] as const

/** These routes use the database, which may be on another server. */
const DATABASE_TAGS = new Set(['captures', 'jobs', 'statistics'])

const JSON_CODES = ['malformed_json', 'body_interrupted', 'body_too_large', 'unsupported_media_type'] as const

const TEXT_CODES = [
  'body_interrupted',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
] as const

const FORM_CODES = [
  'malformed_multipart',
  'body_interrupted',
  'empty_file',
  'file_too_large',
  'body_too_large',
  'unsupported_media_type',
  'disk_full',
] as const

const takesForm = ({ body }: Contract): boolean =>
  body?.kind === 'form' || (body?.kind === 'json' && body.form !== undefined)

function problemsByStatus(contract: Contract, token: boolean): Map<string, ProblemCode[]> {
  const codes = new Set<ProblemCode>([
    ...(token && !contract.open ? (['unauthorized'] as const) : []),
    ...GUARD_CODES,
    ...(contract.open ? [] : MACHINE_CODES),
    ...(contract.body?.kind === 'json' ? JSON_CODES : []),
    ...(contract.body?.kind === 'text' ? TEXT_CODES : []),
    ...(takesForm(contract) ? FORM_CODES : []),
    ...(contract.body?.kind === 'form' && contract.body.file.audio !== false
      ? ['unsupported_audio' as const]
      : []),
    ...(contract.problems ?? []),
    // Every route rejects unknown query parameters.
    'invalid_request',
    'internal_error',
    ...(DATABASE_TAGS.has(contract.tag) ? (['database_unavailable'] as const) : []),
  ])
  const byStatus = new Map<string, ProblemCode[]>()
  for (const code of codes) {
    const status = String(PROBLEMS[code].status)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

/** The only response that is not ours: Bun sends it before our code gets the request. */
const HEAD_TOO_LONG = {
  status: '431',
  response: {
    description:
      'The request line and the headers are larger than 16 KiB together; send long fields in the body. The response has no body, because the request is not read, and the connection is closed.',
  },
}

/** One shared response for each combination of codes under a status. */
export function createProblemResponses(hoist: Hoist, { token }: { token: boolean }) {
  const shared: JsonObject = {}
  const ours = hoist(ProblemSchema)

  function share(status: string, codes: ProblemCode[], path: string): string {
    const shape = errorShapeAt(path)
    const name = `${shape === null ? '' : `${shape.name}.`}${status}.${codes.toSorted().join('.')}`
    const example = exampleOf(codes)
    shared[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('; '),
      content:
        shape === null
          ? { [PROBLEM_MEDIA_TYPE]: { schema: ours, example } }
          : { 'application/json': { schema: hoist(shape.schema), example: shape.bodyOf(example) } },
    }
    return name
  }

  return {
    /** by status; each is a reference to a shared response */
    of(contract: Contract): JsonObject {
      const names = [...problemsByStatus(contract, token)].map(([status, codes]) => [
        status,
        share(status, codes, contract.path),
      ])
      return Object.fromEntries(
        [...names, [HEAD_TOO_LONG.status, HEAD_TOO_LONG.status]].map(([status, name]) => [
          status,
          { $ref: `#/components/responses/${name}` },
        ]),
      )
    },
    components: (): JsonObject => ({ ...shared, [HEAD_TOO_LONG.status]: HEAD_TOO_LONG.response }),
  }
}

function exampleOf([code]: ProblemCode[]): ProblemBody {
  if (!code) throw new Error('a problem response needs a code')
  const detail = `${PROBLEMS[code].title}.`
  if (code !== 'invalid_request') return problemBody({ code, detail })
  const errors = [{ in: 'query' as const, path: '/limit', message: 'must be at most 200' }]
  return problemBody({ code, detail: 'limit must be at most 200.', errors })
}
