// Resolves an operation for Swagger UI: replaces references, reduces problems to their codes, and fills in no fields.
// Swagger UI's own resolver takes seconds for OpenAPI 3.1.

/** The data for the list of operations; the rest is resolved when an operation is opened. Swagger UI copies its input over and over. */
export function outlineOf({ paths, webhooks, components, ...document }) {
  const { securitySchemes } = components
  return {
    ...document,
    paths: mapValues(paths, (methods) => mapValues(methods, outlineOfOperation)),
    webhooks: mapValues(webhooks ?? {}, (methods) => mapValues(methods, outlineOfOperation)),
    components: securitySchemes ? { securitySchemes } : {},
  }
}

const outlineOfOperation = ({ operationId, summary, tags, security }) => ({
  ...{ operationId, summary },
  ...(tags && { tags }),
  ...(security && { security }),
})

/** Replaces Swagger UI's `fn.resolveSubtree`, which only has the outline. */
export async function resolveSubtree(document, path) {
  const part = path.reduce((value, name) => value?.[name], document)
  const spec = withoutReferences(isOperation(part) ? prepareOperation(part, document) : part, document, [])
  return { spec, errors: [] }
}

const isOperation = (part) => part?.responses !== undefined && part.operationId !== undefined

function prepareOperation(operation, document) {
  const { parameters, requestBody } = operation
  const responses = Object.entries(operation.responses)
  return {
    ...operation,
    // Absent keys must not be present as undefined: Swagger UI maps over them.
    ...(parameters && {
      parameters: parameters.map((parameter) => ({
        ...parameter,
        ...untouched(parameter, parameter.schema),
      })),
    }),
    ...(requestBody && { requestBody: { ...requestBody, content: asForms(requestBody.content, document) } }),
    responses: Object.fromEntries(responses.filter(([status]) => Number(status) < 400)),
    'x-problems': responses
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, response]) => codesOf(lookUp(response, document))),
  }
}

/** The description of a problem response has each code in backticks before its meaning. */
const codesOf = ({ description }) => [...description.matchAll(/`([a-z_]+)`:/g)].map(([, code]) => code)

const asForms = (content, document) =>
  mapValues(content, (media) => ({ ...media, schema: asForm(media.schema, document) }))

/** Leaves form fields empty and describes their defaults in words: Swagger UI would send a prefilled value. */
function asForm(schema, document) {
  const form = lookUp(schema, document)
  if (!Object.values(form?.properties ?? {}).some(isFile)) return schema
  return {
    ...form,
    properties: mapValues(form.properties, (field) => {
      if (isFile(field)) return field
      const { description, schema } = untouched(field, lookUp(field, document))
      return { ...schema, description, default: schema.type === 'array' ? [] : '' }
    }),
  }
}

const isFile = ({ format }) => format === 'binary'

function untouched({ description = '' }, { default: usual, examples: _, ...schema }) {
  const told = usual === undefined ? description : `${description}. Default: \`${usual}\``
  return { description: told, schema }
}

function lookUp(value, document) {
  if (typeof value?.$ref !== 'string') return value
  const names = value.$ref.slice('#/'.length).split('/')
  return names.reduce((part, name) => part?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

/** Keeps a circular reference, because resolving it would not end. */
function withoutReferences(value, document, within) {
  if (Array.isArray(value)) return value.map((part) => withoutReferences(part, document, within))
  if (value === null || typeof value !== 'object') return value
  const { $ref } = value
  if (typeof $ref !== 'string') return mapValues(value, (part) => withoutReferences(part, document, within))
  if (within.includes($ref)) return value
  const found = lookUp(value, document)
  const named = $ref.startsWith('#/components/schemas/') ? { title: $ref.split('/').pop(), ...found } : found
  return withoutReferences(named, document, [...within, $ref])
}

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
