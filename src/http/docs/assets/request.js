// Converts the fields of an operation to the request for samples.js. Only reads Swagger UI's state.

/** The file name in a sample until the user chooses a file. */
const ANY_FILE = 'recording.wav'

export function requestOf({ path, method, specSelectors, oas3Selectors }) {
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])
  const parameters = (operation.get('parameters')?.toArray() ?? []).map((parameter) => ({
    name: parameter.get('name'),
    place: parameter.get('in'),
    value: specSelectors.parameterWithMetaByIdentity([path, method], parameter)?.get('value'),
  }))
  const filled = parameters.filter(({ value }) => value !== undefined && value !== '')
  const at = (place) => filled.filter((parameter) => parameter.place === place)
  const chosen = chosenBody({ path, method, specSelectors, oas3Selectors })
  const body = chosen ? bodyOf(chosen, oas3Selectors.requestBodyValue(path, method)) : {}
  const security = operation.get('security') ?? specSelectors.security()
  return {
    method: method.toUpperCase(),
    url: addressOf(path, at('path'), at('query')),
    headers: {
      ...(security?.size > 0 && { Authorization: 'Bearer YOUR-TOKEN' }),
      // Replaces `audio/*` by the type of the file in the sample.
      ...(chosen && !body.fields && { 'Content-Type': chosen.mediaType.replace('*', 'wav') }),
      ...Object.fromEntries(at('header').map(({ name, value }) => [name, value])),
    },
    answersJson: operation
      .get('responses')
      .some((response) => response.hasIn(['content', 'application/json'])),
    ...body,
  }
}

/** The selected media type of the body; null if there is no body. */
export function chosenBody({ path, method, specSelectors, oas3Selectors }) {
  const contents = specSelectors
    .specResolvedSubtree(['paths', path, method])
    ?.getIn(['requestBody', 'content'])
  if (!contents) return null
  const mediaType = oas3Selectors.requestContentType(path, method) ?? contents.keySeq().first()
  return { mediaType, media: contents.get(mediaType) }
}

function addressOf(path, inPath, inQuery) {
  const named = inPath.reduce(
    (address, { name, value }) => address.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(
    inQuery.flatMap(({ name, value }) => many(value).map((one) => [name, one])),
  )
  return `${location.origin}${named}${query.size > 0 ? `?${query}` : ''}`
}

const many = (value) => [value?.toArray?.() ?? value].flat()

function bodyOf({ mediaType, media }, value) {
  if (mediaType.startsWith('multipart/')) return { fields: fieldsOf(media.get('schema'), value) }
  if (mediaType.includes('json')) return { json: typed(value) ?? exampleOf(media) }
  if (mediaType.startsWith('text/')) return { text: typed(value) ?? exampleOf(media) }
  return { upload: value?.name ?? ANY_FILE }
}

const typed = (value) => (typeof value === 'string' && value !== '' ? value : undefined)

function exampleOf(media) {
  const example = media.get('example') ?? media.get('examples')?.first()?.get('value') ?? ''
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}

function fieldsOf(schema, values) {
  const required = schema.get('required')?.toArray() ?? []
  return schema
    .get('properties')
    .entrySeq()
    .toArray()
    .flatMap(([name, field]) => {
      const value = values?.getIn?.([name, 'value'])
      if (field.get('format') !== 'binary') {
        return many(value)
          .filter((one) => one !== undefined && one !== '')
          .map((one) => ({ name, value: one }))
      }
      return value?.name || required.includes(name) ? [{ name, file: value?.name ?? ANY_FILE }] : []
    })
}
