import { paths } from './paths.ts';

interface IconProps {
  /** The width and the height, in pixels; 24 when absent. */
  readonly size?: number;
  /** The width of the lines; 2 when absent. */
  readonly stroke?: number;
}

/** An icon of lines in the color of its text. It decorates a text or a label. */
const iconOf = (lines: readonly string[]) =>
  function Icon({ size = 24, stroke = 2 }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={stroke}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {lines.map((line) => (
          <path key={line} d={line} />
        ))}
      </svg>
    );
  };

export const IconAlertTriangle = iconOf(paths.alertTriangle);
export const IconArrowDown = iconOf(paths.arrowDown);
export const IconArrowDownRight = iconOf(paths.arrowDownRight);
export const IconArrowUp = iconOf(paths.arrowUp);
export const IconArrowUpRight = iconOf(paths.arrowUpRight);
export const IconBell = iconOf(paths.bell);
export const IconBook2 = iconOf(paths.book2);
export const IconBuildingStore = iconOf(paths.buildingStore);
export const IconChartBar = iconOf(paths.chartBar);
export const IconCheck = iconOf(paths.check);
export const IconCircleCheck = iconOf(paths.circleCheck);
export const IconClockPlay = iconOf(paths.clockPlay);
export const IconCode = iconOf(paths.code);
export const IconCopy = iconOf(paths.copy);
export const IconCreditCard = iconOf(paths.creditCard);
export const IconDeviceDesktop = iconOf(paths.deviceDesktop);
export const IconDots = iconOf(paths.dots);
export const IconDownload = iconOf(paths.download);
export const IconExternalLink = iconOf(paths.externalLink);
export const IconFileInvoice = iconOf(paths.fileInvoice);
export const IconFileTypePdf = iconOf(paths.fileTypePdf);
export const IconFilter = iconOf(paths.filter);
export const IconHome = iconOf(paths.home);
export const IconLock = iconOf(paths.lock);
export const IconLogout = iconOf(paths.logout);
export const IconMoon = iconOf(paths.moon);
export const IconPlayerPause = iconOf(paths.playerPause);
export const IconPlayerPlay = iconOf(paths.playerPlay);
export const IconPlus = iconOf(paths.plus);
export const IconRefresh = iconOf(paths.refresh);
export const IconSearch = iconOf(paths.search);
export const IconSettings = iconOf(paths.settings);
export const IconSun = iconOf(paths.sun);
export const IconSwitchHorizontal = iconOf(paths.switchHorizontal);
export const IconTrash = iconOf(paths.trash);
export const IconUser = iconOf(paths.user);
export const IconUserCircle = iconOf(paths.userCircle);
export const IconUsers = iconOf(paths.users);
export const IconWebhook = iconOf(paths.webhook);
