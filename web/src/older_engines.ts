// What charts use of the language that an engine of 2011's JavaScript (ES5) has
// not.
import 'core-js/es/array/fill';
import 'core-js/es/array/find';
import 'core-js/es/array/find-index';
import 'core-js/es/array/flat';
import 'core-js/es/array/flat-map';
import 'core-js/es/array/from';
import 'core-js/es/array/includes';
import 'core-js/es/map';
import 'core-js/es/number/is-nan';
import 'core-js/es/object/assign';
import 'core-js/es/object/entries';
import 'core-js/es/set';
import 'core-js/es/string/includes';
import 'core-js/es/string/iterator';
import 'core-js/es/string/pad-start';
import 'core-js/es/string/starts-with';
