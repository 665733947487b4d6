import 'a-package-that-nobody-has-installed';
