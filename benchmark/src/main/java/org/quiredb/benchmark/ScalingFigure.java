package org.quiredb.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/// How many times InnoDB's throughput a tier has, drawn from what `quire lab scaling --json FILE`
/// wrote, beside figure 3 of "Dynamic Multiversioning".
///
/// Writes `scaling-light.png` and `scaling-dark.png`.
final class ScalingFigure {
    private static final List<String> MIXES = List.of("browsing", "shopping", "ordering");

    /// Of the paper's nine nodes, in the order of the mixes.
    private static final List<Double> PAPER = List.of(14.6, 17.6, 6.5);

    private static final Color QUIRE = new Color(0x0072B2);
    private static final Color OTHERS = new Color(0xE69F00);

    private final JsonNode scaling;
    private final FigureStyle style;

    private ScalingFigure(JsonNode scaling, FigureStyle style) {
        this.scaling = scaling;
        this.style = style;
    }

    static void write(JsonNode scaling, Path folder) throws IOException {
        for (FigureStyle style : List.of(FigureStyle.LIGHT, FigureStyle.DARK)) {
            new ScalingFigure(scaling, style)
                    .write(folder.resolve("scaling-%s.png".formatted(style.name())));
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
        chart().paint(graphics, FigureStyle.WIDTH, FigureStyle.HEIGHT);
        graphics.dispose();
        ImageIO.write(image, "png", file.toFile());
    }

    private CategoryChart chart() {
        CategoryChart chart =
                new CategoryChartBuilder()
                        .width(FigureStyle.WIDTH)
                        .height(FigureStyle.HEIGHT)
                        .title(
                                "Throughput of a master and %d slaves, times that of InnoDB alone"
                                        .formatted(scaling.path("slaves").path(0).asInt()))
                        .yAxisTitle(
                                "every server %d %% of a core"
                                        .formatted(scaling.path("percent").asInt()))
                        .build();
        style.dress(chart.getStyler());
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNE);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setLabelsVisible(true).setLabelsFontColor(style.ink());
        chart.getStyler().setAvailableSpaceFill(0.6);
        chart.addSeries("Quire", MIXES, MIXES.stream().map(this::ratio).toList())
                .setFillColor(QUIRE);
        chart.addSeries("the paper's tier", MIXES, PAPER).setFillColor(OTHERS);
        return chart;
    }

    private double ratio(String mix) {
        return Math.round(10 * scaling.path("ratio").path(mix).asDouble()) / 10.0;
    }
}
