-- The bookstore. Secondary indexes and foreign keys are added after the rows: see Schema.

CREATE TABLE country (
  co_id INT NOT NULL,
  co_name VARCHAR(50) NOT NULL,
  co_exchange DECIMAL(12,6) NOT NULL,
  co_currency VARCHAR(18) NOT NULL,
  PRIMARY KEY (co_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE author (
  a_id INT NOT NULL AUTO_INCREMENT,
  a_fname VARCHAR(20) NOT NULL,
  a_lname VARCHAR(20) NOT NULL,
  a_mname VARCHAR(20) NOT NULL,
  a_dob DATE NOT NULL,
  a_bio VARCHAR(500) NOT NULL,
  PRIMARY KEY (a_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE address (
  addr_id INT NOT NULL AUTO_INCREMENT,
  addr_street1 VARCHAR(40) NOT NULL,
  addr_street2 VARCHAR(40) NOT NULL,
  addr_city VARCHAR(30) NOT NULL,
  addr_state VARCHAR(20) NOT NULL,
  addr_zip VARCHAR(10) NOT NULL,
  addr_co_id INT NOT NULL,
  PRIMARY KEY (addr_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE customer (
  c_id INT NOT NULL AUTO_INCREMENT,
  c_uname VARCHAR(20) NOT NULL,
  c_passwd VARCHAR(20) NOT NULL,
  c_fname VARCHAR(15) NOT NULL,
  c_lname VARCHAR(15) NOT NULL,
  c_addr_id INT NOT NULL,
  c_phone VARCHAR(16) NOT NULL,
  c_email VARCHAR(50) NOT NULL,
  c_since DATE NOT NULL,
  c_last_visit DATE NOT NULL,
  c_login DATETIME NOT NULL,
  c_expiration DATETIME NOT NULL,
  c_discount DECIMAL(5,2) NOT NULL,
  c_balance DECIMAL(17,2) NOT NULL,
  c_ytd_pmt DECIMAL(17,2) NOT NULL,
  c_birthdate DATE NOT NULL,
  c_data VARCHAR(500) NOT NULL,
  PRIMARY KEY (c_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE item (
  i_id INT NOT NULL AUTO_INCREMENT,
  i_title VARCHAR(60) NOT NULL,
  i_a_id INT NOT NULL,
  i_pub_date DATE NOT NULL,
  i_publisher VARCHAR(60) NOT NULL,
  i_subject VARCHAR(60) NOT NULL,
  i_desc VARCHAR(500) NOT NULL,
  i_related1 INT NOT NULL,
  i_related2 INT NOT NULL,
  i_related3 INT NOT NULL,
  i_related4 INT NOT NULL,
  i_related5 INT NOT NULL,
  i_thumbnail VARCHAR(40) NOT NULL,
  i_image VARCHAR(40) NOT NULL,
  i_srp DECIMAL(17,2) NOT NULL,
  i_cost DECIMAL(17,2) NOT NULL,
  i_avail DATE NOT NULL,
  i_stock INT NOT NULL,
  i_isbn CHAR(13) NOT NULL,
  i_page INT NOT NULL,
  i_backing VARCHAR(15) NOT NULL,
  i_dimensions VARCHAR(25) NOT NULL,
  PRIMARY KEY (i_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE orders (
  o_id INT NOT NULL AUTO_INCREMENT,
  o_c_id INT NOT NULL,
  o_date DATETIME NOT NULL,
  o_sub_total DECIMAL(17,2) NOT NULL,
  o_tax DECIMAL(17,2) NOT NULL,
  o_total DECIMAL(17,2) NOT NULL,
  o_ship_type VARCHAR(10) NOT NULL,
  o_ship_date DATETIME NOT NULL,
  o_bill_addr_id INT NOT NULL,
  o_ship_addr_id INT NOT NULL,
  o_status VARCHAR(15) NOT NULL,
  PRIMARY KEY (o_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE order_line (
  ol_o_id INT NOT NULL,
  ol_id INT NOT NULL,
  ol_i_id INT NOT NULL,
  ol_qty INT NOT NULL,
  ol_discount DECIMAL(5,2) NOT NULL,
  ol_comments VARCHAR(100) NOT NULL,
  PRIMARY KEY (ol_o_id, ol_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE cc_xacts (
  cx_o_id INT NOT NULL,
  cx_type VARCHAR(10) NOT NULL,
  cx_num VARCHAR(20) NOT NULL,
  cx_name VARCHAR(30) NOT NULL,
  cx_expiry DATE NOT NULL,
  cx_auth_id CHAR(15) NOT NULL,
  cx_xact_amt DECIMAL(17,2) NOT NULL,
  cx_xact_date DATETIME NOT NULL,
  cx_co_id INT NOT NULL,
  PRIMARY KEY (cx_o_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE shopping_cart (
  sc_id INT NOT NULL AUTO_INCREMENT,
  sc_time DATETIME NOT NULL,
  PRIMARY KEY (sc_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE shopping_cart_line (
  scl_sc_id INT NOT NULL,
  scl_i_id INT NOT NULL,
  scl_qty INT NOT NULL,
  PRIMARY KEY (scl_sc_id, scl_i_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
