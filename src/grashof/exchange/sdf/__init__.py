"""SDFormat: models of Gazebo and Drake."""
