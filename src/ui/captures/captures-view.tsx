import { useLayoutEffect, useState } from 'preact/hooks'
import { type Address, goTo, linkTo, replaceAddress } from '../address.ts'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { pointer } from '../parts/pointer.ts'
import { TrySample } from '../record/first-minute.tsx'
import { Refused, Unreachable } from '../server/request.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import {
  captureList,
  loadMoreCaptures,
  retryCaptureList,
  scrollPosition,
  useCaptureList,
} from './capture-list.ts'
import {
  addressOfQuery,
  captureQueryOf,
  EVERYTHING,
  filtersInOrder,
  hasWords,
  type ListQuery,
  type ListSort,
  sortsFor,
} from './capture-query.ts'
import { CaptureRows } from './capture-rows.tsx'
import { Chips, FilterFields } from './filters.tsx'
import { Presets } from './presets.tsx'
import { SearchBox } from './search-box.tsx'
import { SelectionBar, selected } from './selection.tsx'

const show = (query: ListQuery): void => replaceAddress(['captures'], addressOfQuery(query))

export const CapturesView = ({ address }: { address: Address }) => {
  const query = captureQueryOf(address.query)
  const [isFiltering, showFilters] = useState(false)
  useCaptureList(query)
  useLayoutEffect(() => {
    scrollPosition.restore()
    return () => {
      scrollPosition.keep()
      selected.value = new Set()
    }
  }, [])
  const text = strings.value.captures
  return (
    <>
      <Heading text={strings.value.views.captures} />
      <SearchBox words={query.q} onWords={(q) => show({ ...captureQueryOf(address.query), q })} />
      <div class="row finder">
        <button
          type="button"
          class="chip"
          aria-expanded={isFiltering}
          onClick={() => showFilters(!isFiltering)}
        >
          <Icon name="filter" size={16} />
          {text.filters}
        </button>
        <SortChoice query={query} />
        <Presets query={query} onQuery={show} />
      </div>
      {isFiltering && <FilterFields query={query} onQuery={show} />}
      <Chips query={query} onQuery={show} />
      <Found query={query} />
    </>
  )
}

const SortChoice = ({ query }: { query: ListQuery }) => {
  const { sort, sorts, bestFirst } = strings.value.captures
  const nameOf = (value: ListSort) =>
    value === '' ? (hasWords(query) ? bestFirst : sorts['-recorded_at']) : sorts[value]
  return (
    <label class="chip">
      <Icon name="sort" size={16} />
      <select
        aria-label={sort}
        value={query.sort}
        onChange={({ currentTarget }) => show({ ...query, sort: currentTarget.value as ListSort })}
      >
        {sortsFor(query).map((value) => (
          <option key={value} value={value}>
            {nameOf(value)}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </label>
  )
}

const Found = ({ query }: { query: ListQuery }) => {
  const { items, total, isCounted, state, fault } = captureList.value
  const text = strings.value.captures
  if (fault !== null && !(fault instanceof Unreachable && items.length > 0)) {
    return <Fault query={query} fault={fault} />
  }
  if (items.length === 0) {
    return state === 'waiting' ? (
      <p class="muted">{strings.value.shell.loading}</p>
    ) : (
      <Nothing query={query} />
    )
  }
  return (
    <>
      <div class="row listhead">
        <SelectionBar query={query} />
        <p class="muted found" role="status">
          {/* A space keeps the height of the line. */}
          {isCounted ? counted(total, query.q.trim() === '' ? text.count : text.hits) : '\u00a0'}
        </p>
      </div>
      <CaptureRows query={query} />
      {items.length < total && (
        <p>
          <button type="button" disabled={state !== 'ready'} onClick={() => void loadMoreCaptures(query)}>
            {text.loadMore}
          </button>{' '}
          {isCounted && <span class="muted">{filled(text.shown, { n: items.length, total })}</span>}
        </p>
      )}
    </>
  )
}

const clear = () => show(EVERYTHING)

/** Also while a date is being typed. */
const isQueryFault = (fault: Error): boolean =>
  fault instanceof Refused && fault.problem.errors?.some(({ path }) => path === '/q') === true

const Fault = ({ query, fault }: { query: ListQuery; fault: Error }) => {
  const text = strings.value.captures
  const isFiltered = query.q !== '' || filtersInOrder(query).length > 0
  if (isQueryFault(fault))
    return (
      <section class="card nothing">
        <h2>{text.unfinishedDate}</h2>
        <p>{text.dateTips}</p>
      </section>
    )
  return (
    <div role="alert">
      <p>{fault instanceof Unreachable ? text.unreachable : fault.message}</p>
      <div class="row">
        <button type="button" onClick={() => retryCaptureList(query)}>
          {text.retry}
        </button>
        {isFiltered && (
          <button type="button" onClick={clear}>
            {text.clear}
          </button>
        )}
      </div>
    </div>
  )
}

const Nothing = ({ query }: { query: ListQuery }) => {
  const text = strings.value.captures
  const words = query.q.trim()
  const isFiltered = filtersInOrder(query).length > 0
  if (words === '' && !isFiltered) {
    return (
      <section class="dropzone nothing">
        <h2>{text.empty}</h2>
        <p>{text.emptyHelp}</p>
        <p class="row">
          <a class="button primary" href={linkTo([])}>
            {strings.value.views.record}
          </a>
          <TrySample onStored={(id) => goTo(['captures', id])} />
        </p>
        {/* A file dropped anywhere on the page is added to the queue of the Files view. */}
        <p>
          <a href={linkTo(['files'])}>{text.emptyDrop[pointer.value]}</a>
        </p>
      </section>
    )
  }
  if (query.filters.trashed && words === '') return <p>{text.trashEmpty}</p>
  return (
    <section class="card nothing">
      <h2>{words === '' ? text.noneFiltered : filled(text.noHit, { words })}</h2>
      {isFiltered && <p>{text.noHitHelp}</p>}
      {words !== '' && (
        <p>
          {text.searchTips} {text.dateTips}
        </p>
      )}
      <button type="button" onClick={clear}>
        {text.clear}
      </button>
    </section>
  )
}
