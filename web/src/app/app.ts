/** What served pages do beside showing text: plots, and tables that can be sorted and filtered. */
import "../style.css";
import "./app.css";
import { boards } from "./board";
import { plots } from "./plotted";

plots();
boards();
