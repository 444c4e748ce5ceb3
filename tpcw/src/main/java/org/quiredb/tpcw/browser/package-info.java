/// Emulated browsers: what a shopper does next, what it sends, and how long it thinks.
///
/// A browser walks from interaction to interaction by the transition matrix of its mix and
/// remembers between them what a person would: who it is, its cart, the links on the page. Its
/// decisions come from a seed of its own and from the pages that come back.
///
/// A session lasts a random time and ends when that has passed and the next step would lead to the
/// home page: that step is then the first of the next session. (To run Home once more for the new
/// session would raise its share of the mix beyond tolerance.) The time of a session is counted in
/// unscaled think times, so that sessions are as long in interactions when browsers do not think at
/// all.
@NullMarked
package org.quiredb.tpcw.browser;

import org.jspecify.annotations.NullMarked;
