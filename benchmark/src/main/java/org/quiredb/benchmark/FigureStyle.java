package org.quiredb.benchmark;

import java.awt.Color;
import java.awt.Font;
import org.knowm.xchart.style.AxesChartStyler;

/// How figures look: legible on a light and on a dark page.
///
/// @param name of the page, in the files' names
record FigureStyle(String name, Color ink, Color grid, Color paper) {
    static final FigureStyle LIGHT =
            new FigureStyle("light", new Color(0x1F2328), new Color(0xD8DEE4), new Color(0xFFFFFF));
    static final FigureStyle DARK =
            new FigureStyle("dark", new Color(0xE6EDF3), new Color(0x30363D), new Color(0x0D1117));

    static final int WIDTH = 1000;
    static final int HEIGHT = 420;

    /// Pixels of the file for one of the figure.
    static final int SCALE = 2;

    void dress(AxesChartStyler styler) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
        styler.setChartTitleFont(font.deriveFont(Font.BOLD, 15f))
                .setChartTitleBoxVisible(false)
                .setChartBackgroundColor(paper)
                .setChartFontColor(ink)
                .setPlotBackgroundColor(paper)
                .setPlotBorderVisible(false)
                .setLegendBackgroundColor(paper)
                .setLegendBorderColor(grid)
                .setLegendFont(font)
                .setAnnotationTextFont(font)
                .setAnnotationTextFontColor(ink);
        styler.setAxisTickLabelsFont(font)
                .setAxisTitleFont(font)
                .setAxisTickLabelsColor(ink)
                .setAxisTickMarksColor(grid)
                .setPlotGridLinesColor(grid)
                .setMarkerSize(9);
    }
}
