import { EquipmentReport } from './equipment-report.tsx'
import { MetricReport } from './metric-report.tsx'
import { useReport } from './report-options.ts'

/** /dashboard/status-view/availability: how much of a period equipment was available, by host, site, type or metric. */
export const AvailabilityPage = () => {
  const report = useReport()
  return report.by === 'metric' ? <MetricReport report={report} /> : <EquipmentReport report={report} by={report.by} />
}
