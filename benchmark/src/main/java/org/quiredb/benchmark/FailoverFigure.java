package org.quiredb.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// What kills cost, drawn from what `quire lab failover --json FILE` wrote: throughput around them,
/// and the longest that any client waited.
///
/// Writes `failover-light.png` and `failover-dark.png`.
final class FailoverFigure {
    /// Of whom there is a line, from above.
    private static final List<String> ROLES =
            List.of("master", "slave", "spare", "scheduler", "logger", "backend");

    /// Told apart by most who do not see colours alike, on white and on black.
    private static final List<Color> COLOURS =
            List.of(
                    new Color(0xD55E00),
                    new Color(0x0072B2),
                    new Color(0x56B4E9),
                    new Color(0x009E73),
                    new Color(0xE69F00),
                    new Color(0xCC79A7));

    private static final int SECONDS_AFTER = 15;

    private final Map<String, List<JsonNode>> kills = new LinkedHashMap<>();
    private final FigureStyle style;

    private FailoverFigure(JsonNode failover, FigureStyle style) {
        this.style = style;
        for (String role : ROLES) {
            List<JsonNode> ofRole = new ArrayList<>();
            for (JsonNode kill : failover.path("kills")) {
                if (kill.path("role").asText().equals(role)) {
                    ofRole.add(kill);
                }
            }
            if (!ofRole.isEmpty()) {
                kills.put(role, ofRole);
            }
        }
    }

    static void write(JsonNode failover, Path folder) throws IOException {
        for (FigureStyle style : List.of(FigureStyle.LIGHT, FigureStyle.DARK)) {
            new FailoverFigure(failover, style)
                    .write(folder.resolve("failover-%s.png".formatted(style.name())));
        }
    }

    private void write(Path file) throws IOException {
        BufferedImage image =
                new BufferedImage(
                        FigureStyle.WIDTH * FigureStyle.SCALE,
                        FigureStyle.HEIGHT * FigureStyle.SCALE,
                        BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.scale(FigureStyle.SCALE, FigureStyle.SCALE);
        throughput().paint(graphics, FigureStyle.WIDTH / 2, FigureStyle.HEIGHT);
        graphics.translate(FigureStyle.WIDTH / 2, 0);
        stalls().paint(graphics, FigureStyle.WIDTH / 2, FigureStyle.HEIGHT);
        graphics.dispose();
        ImageIO.write(image, "png", file.toFile());
    }

    /// Of each second the median over the kills.
    private XYChart throughput() {
        XYChart chart =
                chart("Throughput, % of that before", "seconds after kill -9 of one process");
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(140.0);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideSE);
        kills.forEach((role, ofRole) -> {
            List<Double> seconds = new ArrayList<>();
            List<Double> shares = new ArrayList<>();
            for (int second = -8; second < SECONDS_AFTER; second++) {
                int at = second;
                double share = median(ofRole, kill -> 100 * wips(kill, at) / before(kill));
                if (!Double.isNaN(share)) {
                    seconds.add(second + 1.0);
                    shares.add(share);
                }
            }
            XYSeries series =
                    chart.addSeries("%s (%d)".formatted(role, ofRole.size()), seconds, shares);
            series.setMarker(SeriesMarkers.NONE);
            series.setLineColor(COLOURS.get(ROLES.indexOf(role)));
            series.setLineStyle(new BasicStroke(2));
        });
        return chart;
    }

    /// A dot for each kill, in a row for each role.
    private XYChart stalls() {
        XYChart chart = chart("Longest wait of any client", "ms; a dot for each kill");
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setXAxisMin(-100.0);
        chart.getStyler().setYAxisMin(-0.5).setYAxisMax(kills.size() - 0.5);
        int row = kills.size();
        for (var ofRole : kills.entrySet()) {
            row--;
            List<Double> millis = new ArrayList<>();
            List<Double> rows = new ArrayList<>();
            for (JsonNode kill : ofRole.getValue()) {
                millis.add(kill.path("longestStallMillis").asDouble());
                rows.add((double) row);
            }
            chart.addAnnotation(new AnnotationText(ofRole.getKey(), 0, row + 0.3, false));
            XYSeries series = chart.addSeries(ofRole.getKey(), millis, rows);
            series.setMarker(SeriesMarkers.CIRCLE);
            series.setMarkerColor(COLOURS.get(ROLES.indexOf(ofRole.getKey())));
        }
        chart.getStyler().setYAxisTicksVisible(false);
        return chart;
    }

    private XYChart chart(String title, String below) {
        XYChart chart =
                new XYChartBuilder()
                        .width(FigureStyle.WIDTH / 2)
                        .height(FigureStyle.HEIGHT)
                        .title(title)
                        .xAxisTitle(below)
                        .build();
        style.dress(chart.getStyler());
        return chart;
    }

    private static double before(JsonNode kill) {
        return kill.path("wipsBefore").asDouble();
    }

    /// @return NaN when that second was not watched
    private static double wips(JsonNode kill, int second) {
        JsonNode seconds = kill.path(second < 0 ? "wipsBySecondBefore" : "wipsBySecond");
        JsonNode wips = seconds.path(second < 0 ? seconds.size() + second : second);
        return wips.isNumber() ? wips.asDouble() : Double.NaN;
    }

    private static double median(List<JsonNode> kills, ToDoubleFunction<JsonNode> of) {
        double[] sorted =
                kills.stream().mapToDouble(of).filter(Double::isFinite).sorted().toArray();
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }
}
