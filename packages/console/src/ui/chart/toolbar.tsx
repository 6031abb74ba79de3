import { ActionIcon, Button, Menu, Select, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconArrowBackUp,
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconMessagePlus,
  IconTable,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { chart as words } from '../../i18n/chart.ts'
import { COMPARISONS, type Comparison, comparisonOf } from '../../lib/chart-range.ts'
import { saveFile } from '../../lib/save-file.ts'
import classes from './chart.module.css'
import { chartCsv, fileName } from './export.ts'
import type { ChartContent } from './use-chart.ts'
import { middleOf, PAN_SHARE, panned, ZOOM_FACTOR, zoomed } from './view.ts'

interface ToolbarProps {
  readonly title: string
  readonly content: ChartContent
  readonly comparison: Comparison | null
  readonly onComparison: (comparison: Comparison | null) => void
  readonly hasEvents: boolean
  readonly onEvents: (shown: boolean) => void
  readonly hasValues: boolean
  readonly onValues: (shown: boolean) => void
  /** Null: there is nothing to go back from. */
  readonly onBack: (() => void) | null
  readonly onComment: () => void
}

interface ToolProps {
  readonly icon: ComponentType<{ readonly size: number }>
  readonly label: string
  readonly onClick: () => void
  readonly isDisabled?: boolean
}
const Tool = ({ icon: Icon, label, onClick, isDisabled = false }: ToolProps) => (
  <ActionIcon variant="default" size={30} aria-label={label} title={label} onClick={onClick} disabled={isDisabled}>
    <Icon size={16} />
  </ActionIcon>
)

/** What is done with a chart by buttons: moved, zoomed, compared, commented, kept as a file. */
export const ChartToolbar = (props: ToolbarProps) => {
  const { content, comparison, hasEvents, hasValues } = props
  const { view, show } = content
  const zoom = (factor: number): void => show(zoomed(view, factor, middleOf(view), Date.now()), 'zoom')
  const pan = (share: number): void => show(panned(view, share, Date.now()), 'move')
  return (
    <div className={classes.toolbar}>
      <div className={classes.tools}>
        <Tool icon={IconChevronLeft} label={words.before} onClick={() => pan(-PAN_SHARE)} />
        <Tool icon={IconZoomOut} label={words.zoomOut} onClick={() => zoom(ZOOM_FACTOR)} />
        <Tool icon={IconZoomIn} label={words.zoomIn} onClick={() => zoom(1 / ZOOM_FACTOR)} />
        <Tool icon={IconChevronRight} label={words.after} onClick={() => pan(PAN_SHARE)} />
        <Tool
          icon={IconArrowBackUp}
          label={words.back}
          onClick={props.onBack ?? nothing}
          isDisabled={props.onBack === null}
        />
      </div>
      <Select
        size="xs"
        className={classes.compare}
        aria-label={words.compare}
        data={[{ value: '', label: words.alone }, ...COMPARISONS.map(({ key, label }) => ({ value: key, label }))]}
        value={comparison?.key ?? ''}
        onChange={key => props.onComparison(comparisonOf(key))}
        allowDeselect={false}
        comboboxProps={{ width: 190, position: 'bottom-start' }}
      />
      <Switch
        size="xs"
        label={words.events}
        checked={hasEvents}
        onChange={event => props.onEvents(event.currentTarget.checked)}
      />
      <div className={classes.tools} data-last>
        <Button variant="default" size="xs" leftSection={<IconMessagePlus size={15} />} onClick={props.onComment}>
          {content.pickedMs === null ? words.comment : words.commentPoint}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTable size={15} />}
          aria-expanded={hasValues}
          onClick={() => props.onValues(!hasValues)}
        >
          {hasValues ? words.hideValues : words.values}
        </Button>
        <ExportMenu title={props.title} content={content} />
      </div>
    </div>
  )
}
const nothing = (): void => {}

const ExportMenu = ({ title, content }: { readonly title: string; readonly content: ChartContent }) => {
  const { toMs } = content.view
  const csv = (): void =>
    saveFile(fileName(title, toMs, 'csv'), new Blob([chartCsv(content)], { type: 'text/csv;charset=utf-8' }))
  const png = async (): Promise<void> => {
    try {
      const { chartPng } = await import('./png.ts')
      saveFile(fileName(title, toMs, 'png'), await chartPng(title, content))
    } catch {
      notifications.show({ message: words.failed, color: 'red' })
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconDownload size={15} />}>
          {words.exported}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={csv}>{words.csv}</Menu.Item>
        <Menu.Item onClick={() => void png()}>{words.png}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
