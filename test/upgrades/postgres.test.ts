import { describeUpgrades } from "./upgrades.ts";

describeUpgrades("postgres");
